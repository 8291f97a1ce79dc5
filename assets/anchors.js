/* A page comes after its address: the section that an address names is gone to once it is there. */
const FRAMES = 600; // that it is waited for
const go = function (frames) {
  if (document.getElementById(location.hash.slice(1))) location.replace(location.hash);
  else if (frames) requestAnimationFrame(() => go(frames - 1));
};
if (location.hash.length > 1) go(FRAMES);
