/* A page comes after its address: the section that an address names is gone to once it is there. */
if (location.hash.length > 1)
  gantry.when(
    () => gantry.at(location.hash.slice(1)),
    () => location.replace(location.hash),
  );
