/* The libraries of tables and of charts are large: each comes when the first of its kind is shown. Where they are says the element of this script. */
const { React } = window;
const { grid, plotly } = document.currentScript.dataset;

/* Dash loads plotly.js from there if no one has, and sets the address of the whole, which is four times as large. */
Object.defineProperty(window, "_dashPlotlyJSURL", { get: () => plotly, set() {} });

const { promise: library, resolve: come, reject: fail } = Promise.withResolvers();

const Grid = React.lazy(function () {
  const script = document.createElement("script");
  script.src = grid;
  script.onload = function () {
    come(window.dash_ag_grid);
    window.dash_ag_grid = late; // another class would make every grid anew
  };
  script.onerror = () => fail(new Error("the library of tables did not come"));
  document.head.append(script);
  return library.then((real) => ({ default: real.AgGrid }));
});

function AgGrid(props) {
  const { id, className, style } = props;
  return React.createElement(React.Suspense, { fallback: React.createElement("div", { id, className, style }) }, React.createElement(Grid, props));
}
AgGrid.dashRenderType = true; // as the library's own: Dash then says who has changed it

const late = { AgGrid, getApiAsync: (id) => library.then((real) => real.getApiAsync(id)) };
window.dash_ag_grid = late;
