/* Pictures of charts to files. */
(function () {
  "use strict";
  const TITLE_PX = 30;
  const LEGEND_PX = 60;

  /* A picture that leaves the page says what it is of, and carries its legend. */
  const save = function (gd, format, name) {
    const { margin } = gd.layout;
    const height = gd.clientHeight; // Dash takes the height out of the layout of a chart that follows its frame
    const layout = { ...gd.layout, showlegend: true, title: { text: gd.layout.meta.title, x: 0.01, xanchor: "left", font: { size: 15 } } };
    layout.margin = { ...margin, t: margin.t + TITLE_PX, b: margin.b + LEGEND_PX };
    layout.height = height + TITLE_PX + LEGEND_PX;
    layout.width = gd.clientWidth;
    const filename = `gantry-${name}`.replace(/[^A-Za-z0-9._-]+/g, "-");
    window.Plotly.downloadImage({ data: gd.data, layout }, { format, filename, width: layout.width, height: layout.height, scale: format === "png" ? 2 : 1 });
  };

  document.addEventListener("click", (event) => {
    const picture = event.target.closest("[data-picture]");
    if (picture) save(picture.closest(".card").querySelector(".js-plotly-plot"), picture.dataset.picture, picture.dataset.name);
  });
})();
