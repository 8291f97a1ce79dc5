/* Pictures of charts to files, each with its title and legend. A run's chart is drawn by the server as it
   is looked at; a PNG is painted twice as large. */
import * as charts from "../timeline/charts";
import { h, hear } from "./dom";

const SCALE = 2;
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

async function save(svg: string, name: string, format: string) {
  const drawing = new Blob([svg], { type: "image/svg+xml" });
  if (format === "svg") return download(drawing, `${name}.svg`);
  const image = new Image();
  image.src = URL.createObjectURL(drawing);
  await image.decode();
  const canvas = h("canvas", { width: SCALE * image.width, height: SCALE * image.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  canvas.toBlob((blob) => blob && download(blob, `${name}.png`));
}

/* The drawing that an image's address holds. */
function decoded({ src }: HTMLImageElement) {
  const bytes = Uint8Array.from(atob(src.split(",")[1] ?? ""), (letter) => letter.charCodeAt(0));
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

export const listen = () => hear("click", "[data-picture]", pressed);
