// Every figure of a plot is formatted here. Tables and cards have their own rules, in crates/text/src/digits.rs; plots have less
// room. toFixed rounds an exact tie away from zero and Rust to the even digit, so the two may differ in the last digit of such a figure.
const fixed = (v, decimals) => v.toFixed(decimals);
/** A ratio, as bars show it. */
const times = (v) => `${fixed(v, v < 10 ? 2 : 1)}×`;
/** A part of a whole, in percent. */
const share = (part, whole) => `${fixed(100 * part / whole, 1)} %`;
/** In the table of a plot's figures. */
const precise = (v) => String(+v.toPrecision(6));
/** Four significant digits, or a dash. */
const figure = (v) => v === null || v === undefined ? "–" : Number(v.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 });
