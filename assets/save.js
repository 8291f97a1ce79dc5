/* Pictures of charts to files, each with its title and legend. A run's chart is drawn by the server as it
   is looked at; a PNG is painted twice as large. */
const SCALE = 2;
const TITLE_PX = 30;
const LEGEND_PX = 60; // of a chart by plotly
const SVG = "http://www.w3.org/2000/svg";

const download = function (blob, name) {
  const link = gantry.h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

gantry.download = download;

const save = async function (svg, name, format) {
  const drawing = new Blob([svg], { type: "image/svg+xml" });
  if (format === "svg") return download(drawing, `${name}.svg`);
  const image = new Image();
  image.src = URL.createObjectURL(drawing);
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: SCALE * image.width,
    height: SCALE * image.height,
  });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  canvas.toBlob((blob) => download(blob, `${name}.png`));
};

const decoded = (address) =>
  new TextDecoder().decode(Uint8Array.from(atob(address.split(",")[1]), (letter) => letter.charCodeAt(0)));

/* The schedules of a card, one under the other. */
const stacked = function (images) {
  const drawings = images.map(
    ({ src }) => new DOMParser().parseFromString(decoded(src), "image/svg+xml").documentElement,
  );
  const all = document.createElementNS(SVG, "svg");
  const title = Object.assign(document.createElementNS(SVG, "text"), { textContent: images[0].title });
  const put = (node, attributes) => (
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value)),
    all.append(node)
  );
  put(title, {
    x: 12,
    y: 20,
    class: "title",
    "font-size": 15,
    "font-family": drawings[0].getAttribute("font-family"),
  });
  let top = TITLE_PX;
  for (const drawing of drawings) {
    put(drawing, { y: top });
    top += Number(drawing.getAttribute("height"));
  }
  all.setAttribute("width", Math.max(...drawings.map((drawing) => Number(drawing.getAttribute("width")))));
  all.setAttribute("height", top);
  return new XMLSerializer().serializeToString(all);
};

const plotted = function (graph, filename, format) {
  const { margin, meta = {} } = graph.layout;
  // as it was drawn: a low drawer makes it lower
  const height = parseFloat(graph.closest(".dash-graph").style.height) || graph.clientHeight;
  const title = { text: meta.title, x: 0.01, xanchor: "left", font: { size: 15 } };
  const layout = {
    ...graph.layout,
    showlegend: true,
    title,
    width: graph.clientWidth,
    height: height + TITLE_PX + LEGEND_PX,
  };
  layout.margin = { ...margin, t: margin.t + TITLE_PX, b: margin.b + LEGEND_PX };
  const { width, height: high } = layout;
  window.Plotly.downloadImage(
    { data: graph.data, layout },
    { format, filename, width, height: high, scale: format === "png" ? SCALE : 1 },
  );
};

const fileName = (name) => `gantry-${name}`.replace(/[^A-Za-z0-9._-]+/g, "-");

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-picture]");
  if (!button) return;
  const { picture: format, place, name } = button.dataset;
  if (place !== undefined) {
    const answer = await gantry.charts.post("picture", {
      ...gantry.charts.viewRequest(),
      index: Number(place),
    });
    return answer && save(answer.svg, fileName(answer.name), format);
  }
  const card = button.closest(".card");
  const images = [...card.querySelectorAll("img.schedule")];
  if (images.length) return save(stacked(images), fileName(name), format);
  return plotted(card.querySelector(".js-plotly-plot"), fileName(name), format);
});
