/* Times, shares and memory, told as engine/quantities.py tells them (tests/scripts/quantities.json holds both
   to it). */
const two = (number: number) => String(number).padStart(2, "0");

/* To one decimal, which is left out where it is 0. */
function oneDecimal(value: number) {
  const tenths = Math.floor(10 * Math.abs(value) + 0.5);
  return Math.floor(tenths / 10).toLocaleString("en") + (tenths % 10 ? `.${tenths % 10}` : "");
}

/* When, in ms: "4:41", "1:02:03"; digits: of parts of a second. */
export function clock(ms: number, digits = 0): string {
  if (ms < 0) return `−${clock(-ms, digits)}`;
  const scale = 10 ** digits;
  const parts = Math.floor((ms / 1000) * scale + 0.5);
  const whole = Math.floor(parts / scale);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const text = hours
    ? `${hours.toLocaleString("en")}:${two(minutes)}:${two(seconds)}`
    : `${minutes}:${two(seconds)}`;
  return digits ? `${text}.${String(parts % scale).padStart(digits, "0")}` : text;
}

/* A share of 1: "61.3 %", "−4 %"; signed: with a + where it is above 0. */
export function percent(share: number, signed = false) {
  const text = oneDecimal(100 * share);
  const sign = text === "0" ? "" : share < 0 ? "−" : signed ? "+" : "";
  return `${sign}${text} %`;
}

/* Memory or a file's size: "512 MB", "1.5 GB"; 1 GB = 1024 MB. */
export function memory(mb: number) {
  if (mb >= 2 ** 20) return `${oneDecimal(mb / 2 ** 20)} TB`;
  return mb >= 2 ** 10 ? `${oneDecimal(mb / 2 ** 10)} GB` : `${oneDecimal(mb)} MB`;
}
