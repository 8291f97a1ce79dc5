/* Pictures of charts to files, each with its title and legend. A run's chart is drawn by the server as it
   is looked at; a PNG is painted twice as large. And slides: a PNG of 1920 x 1080 px; of an animation the
   server makes a GIF from what is painted here (webapp/panels/share/slides.py). */
import * as run from "../run/run";
import * as charts from "../timeline/charts";
import type { Span } from "../timeline/drawing";
import * as lanes from "../timeline/lanes";
import { h, hear } from "./dom";
import { msg } from "./messages";
import { state } from "./state";

const SCALE = 2;
const SLIDE_SCALE = 1.5;
const TITLE_PX = 30;
const LEGEND_PX = 60; // of a chart by plotly
const SVG = "http://www.w3.org/2000/svg";

/* What plotly keeps with a chart it has drawn, as far as it is read here. */
interface Graph extends HTMLElement {
  data: object[];
  layout: { margin: { t: number; b: number }; meta?: { title?: string } };
}
declare global {
  var Plotly: { downloadImage(what: object, how: object): void };
}
const isGraph = (node: Element | null): node is Graph => node !== null && "layout" in node;

export function download(blob: Blob, name: string) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const drawingOf = (svg: string) => new Blob([svg], { type: "image/svg+xml" });

/* Drawings of one size, painted one below the other. */
async function painted(scale: number, ...svgs: string[]) {
  const images = await Promise.all(
    svgs.map(async (svg) => {
      const image = new Image();
      image.src = URL.createObjectURL(drawingOf(svg));
      await image.decode();
      return image;
    }),
  );
  const [width, height] = [scale * (images[0]?.width ?? 0), scale * (images[0]?.height ?? 0)];
  const canvas = h("canvas", { width, height: height * images.length });
  images.forEach((image, place) => {
    canvas.getContext("2d")?.drawImage(image, 0, place * height, width, height);
    URL.revokeObjectURL(image.src);
  });
  return canvas;
}

async function save(svg: string, name: string, format: string, scale = SCALE) {
  if (format === "svg") return download(drawingOf(svg), `${name}.svg`);
  const canvas = await painted(scale, svg);
  canvas.toBlob((blob) => blob && download(blob, `${name}.png`));
}

const bytesOf = (base64 = "") => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/* The drawing that an image's address holds. */
function decoded({ src }: HTMLImageElement) {
  const bytes = bytesOf(src.split(",")[1]);
  return new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml").documentElement;
}

/* The schedules of a card, one under the other. */
function stacked(images: HTMLImageElement[]) {
  const drawings = images.map(decoded);
  const all = document.createElementNS(SVG, "svg");
  const put = (node: Element, attributes: Record<string, string | number | null | undefined>) => {
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
    all.append(node);
  };
  const size = (drawing: Element, side: string) => Number(drawing.getAttribute(side));
  const title = document.createElementNS(SVG, "text");
  title.textContent = images[0]?.title ?? "";
  const font = drawings[0]?.getAttribute("font-family");
  put(title, { x: 12, y: 20, class: "title", "font-size": 15, "font-family": font });
  let top = TITLE_PX;
  for (const drawing of drawings) {
    put(drawing, { y: top });
    top += size(drawing, "height");
  }
  all.setAttribute("width", String(Math.max(...drawings.map((drawing) => size(drawing, "width")))));
  all.setAttribute("height", String(top));
  return new XMLSerializer().serializeToString(all);
}

function savePlotted(graph: Graph, filename: string, format: string) {
  const { margin, meta } = graph.layout;
  // as it was drawn: a low drawer makes it lower
  const drawn = parseFloat(graph.closest<HTMLElement>(".dash-graph")?.style.height ?? "");
  const size = { width: graph.clientWidth, height: (drawn || graph.clientHeight) + TITLE_PX + LEGEND_PX };
  const layout = {
    ...graph.layout,
    ...size,
    showlegend: true,
    title: { text: meta?.title, x: 0.01, xanchor: "left", font: { size: 15 } },
    margin: { ...margin, t: margin.t + TITLE_PX, b: margin.b + LEGEND_PX },
  };
  const scale = format === "png" ? SCALE : 1;
  globalThis.Plotly.downloadImage({ data: graph.data, layout }, { format, filename, ...size, scale });
}

const fileName = (name = "") => `gantry-${name}`.replace(/[^A-Za-z0-9._-]+/g, "-");

async function pressed(button: HTMLElement) {
  const { picture: format = "", place, name } = button.dataset;
  if (place !== undefined) {
    const answer = await charts.ask<{ name?: string; svg?: string }>("picture", { index: Number(place) });
    return answer?.svg && save(answer.svg, fileName(answer.name), format);
  }
  const card = button.closest(".card");
  const images = [...(card?.querySelectorAll<HTMLImageElement>("img.schedule") ?? [])];
  if (images.length) return save(stacked(images), fileName(name), format);
  const graph = card?.querySelector(".js-plotly-plot") ?? null;
  if (isGraph(graph)) savePlotted(graph, fileName(name), format);
}

/* As webapp/panels/share/slides.py draws it; says: why not. */
type Slide = { name: string; svg: string; boxes: number[][]; window: [number, number]; says?: string };

/* What is played: the selected interval, as far as the charts show it, else all they show. */
function played([first, last]: Slide["window"], span: Span | null) {
  const [from, to] = [Math.max(first, span?.x0 ?? first), Math.min(last, span?.x1 ?? last)];
  return from < to ? [from, to] : [first, last];
}

async function saveAnimation({ name, svg, boxes, window }: Slide, file: string) {
  // behind what the runs drew there is what stands there before they have
  const empty = svg.replace("</style>", "[data-run]{display:none}</style>");
  const picture = (await painted(1, svg, empty)).toDataURL("image/png").split(",")[1];
  const more = { picture, boxes, window, played: played(window, state().span) };
  const answer = await charts.ask<{ gif?: string; says?: string }>("animate", { ...more, name });
  if (answer?.gif) download(new Blob([bytesOf(answer.gif)], { type: "image/gif" }), `${file}.gif`);
  return answer?.says;
}

/* One at a time: what is under way is said, and so is why there is none. */
async function slide({ dataset: { slide: format = "" } }: HTMLElement) {
  if (isDrawing) return;
  isDrawing = true;
  run.says(msg("save.drawing"));
  try {
    const answer = await charts.ask<Slide>("slide", { columns: lanes.columns() });
    if (!answer) return; // why was said
    const file = fileName(answer.name);
    let says = answer.says;
    if (!says && format === "gif") says = await saveAnimation(answer, `${file}-play`);
    else if (!says) await save(answer.svg, `${file}-slide`, format, SLIDE_SCALE);
    run.says(says ?? msg("save.drawn"), !says);
  } finally {
    isDrawing = false;
  }
}
let isDrawing = false;

export function listen() {
  hear("click", "[data-picture]", pressed);
  hear("click", "[data-slide]", slide);
}
