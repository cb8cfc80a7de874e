// Every figure of a plot is formatted here, by the rules of crates/text/src/digits/mod.rs, which the page has as data.
/** A number with this many decimals. toFixed rounds a tie away from zero; Rust, and so the tables, round it to the even digit. */
const fixed = (v, decimals) => {
  const [text, exact] = [v.toFixed(decimals), v.toFixed(100)];
  const tie = /^50*$/.test(exact.slice(exact.indexOf(".") + 1 + decimals));
  return tie && text.at(-1) % 2 ? (v - Math.sign(v) * 10 ** -decimals / 10).toFixed(decimals) : text;
};
/** A figure by a rule: the decimals of the first bound above it, or those above all bounds. */
const ruled = ({ below, rest }) => (v) => fixed(v, below.find(([bound]) => Math.abs(v) < bound)?.[1] ?? rest);
const formats = (digits) => ({
  /** A ratio, as bars show it. */
  times: (v) => `${ruled(digits.bars)(v)}×`,
  /** A part of a whole, in percent. */
  share: (part, whole) => `${ruled(digits.percent)(100 * part / whole)} %`,
  /** Predicted over published. */
  predicted: ruled(digits.predicted),
  /** In the table of a plot's figures. */
  precise: (v) => String(+v.toPrecision(digits.table)),
  /** Any other figure, or a dash. */
  figure: (v) => v === null || v === undefined ? "–" : Number(v.toPrecision(digits.figure)).toLocaleString("en", { maximumSignificantDigits: digits.figure }),
});
