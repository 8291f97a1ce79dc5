/* Share and Export: the address has all that is looked at when a link is made; the files' links follow the
   result shown. */
const page = () => window.location.origin + window.location.pathname;

/* Before Dash hears of the click, so that its callback reads this. */
document.addEventListener(
  "click",
  ({ target }) => {
    if (!target.closest("#share, #share-retitle")) return;
    gantry.address();
    gantry.put("looked-at", {
      data: { ...Object.fromEntries(new URLSearchParams(window.location.search)), page: page() },
    });
  },
  true,
);

/* A report links back to the page. */
const link = (where, key, file) =>
  `${where}${key}/${file}${file === "report.html" ? `?page=${encodeURIComponent(page())}` : ""}`;
gantry.callbacks({
  exports: (result, where, ids) =>
    ids.map(({ file }) => (result ? link(where, result.key, file) : gantry.none())),
  clicked: (clicks) => clicks,
  /* The server no longer has the result: once it has run again the same button is pressed again. */
  shareAgain: (link_) =>
    void (
      link_ &&
      gantry.run
        .anew()
        .then((done) =>
          done
            ? gantry.at(link_.by).click()
            : (gantry.at("share-says").textContent = gantry.at("run-status").textContent),
        )
    ),
  shared: (link_) => void (link_ && gantry.change({ shared: link_ })),
});
gantry.on(["shared"], () => gantry.address());
