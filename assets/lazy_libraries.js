/* The libraries of tables and of charts are large: each comes when the first of its kind is shown. Where
   they are says the element of this script. */
const { React } = window;
const { grid, plotly } = document.currentScript.dataset;

/* Dash loads plotly.js from there if no one has, and sets the address of the whole, which is four times as
   large. */
Object.defineProperty(window, "_dashPlotlyJSURL", { get: () => plotly, set() {} });

const AGAIN_MS = 2000;
const { promise: library, resolve: come } = Promise.withResolvers();

/* A server that is away for a moment is asked again: a library that did not come would never come, and
   take the page with it. */
const loaded = (address) =>
  new Promise(function (done) {
    const script = gantry.h("script", {
      src: address,
      onload: done,
      onerror: () => setTimeout(() => loaded(address).then(done), AGAIN_MS),
    });
    document.head.append(script);
  });

const Grid = React.lazy(async function () {
  await loaded(grid);
  const real = window.dash_ag_grid;
  window.dash_ag_grid = late; // another class would make every grid anew
  // before the library asks for it, which it does once
  await loaded(grid.replace("dash_ag_grid.min", "async-community"));
  come(real);
  return { default: real.AgGrid };
});

function AgGrid(props) {
  const { id, className, style } = props;
  return React.createElement(
    React.Suspense,
    { fallback: React.createElement("div", { id, className, style }) },
    React.createElement(Grid, props),
  );
}
AgGrid.dashRenderType = true; // as the library's own: Dash then says who has changed it

const late = { AgGrid, getApiAsync: (id) => library.then((real) => real.getApiAsync(id)) };
window.dash_ag_grid = late;
