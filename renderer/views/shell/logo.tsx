const horn =
  "M27.3 115.8L24.4 105.8L22.2 96.3L21.1 87.1L21 78.3L21.8 70L23.4 62.3L25.9 55.2L29.1 48.8L33 43.1L37.5 38.2L42.5 34.2L48 31.2L53.8 29.2L59.8 28.3L65.8 28.6L71.6 29.9L77.3 32.4L82.8 35.8L87.9 40.3L92.8 45.8L97.3 52.4L101.6 60.1L98.3 62L92.6 54.3L86.7 48.5L80.9 44.3L75.4 41.7L70.2 40.5L65.6 40.5L61.5 41.5L57.9 43.3L54.8 45.8L52.2 49L50 52.8L48.4 57.2L47.3 62.1L47 67.6L47.4 73.5L48.6 79.7L50.8 86.3L54 93.2L58.7 100.2z";
const ties =
  "M25.8 110.9L49.7 83.5L22.7 65.2M22.7 65.2L48.2 57.8L38.8 37M38.8 37L57.1 43.8L63.8 28.4M63.8 28.4L72 40.8L86.4 38.9M25.8 110.9L58.7 100.2";
const outline =
  "M27.3 115.8L24.5 106.4L22.4 97.4L21.2 88.7L20.9 80.4L21.4 72.5L22.7 65L24.8 58.1L27.5 51.8L30.8 46L34.8 41L39.2 36.7L44.1 33.3L49.3 30.7L54.8 29L60.4 28.3L66 28.6L71.5 29.9L76.9 32.1L82 35.3L86.9 39.4L91.5 44.3L95.9 50.2L100 57.1L103.8 64.9L107.3 73.8L110.5 83.8M58.7 100.2L54.8 94.5L51.9 88.9L49.7 83.4L48.2 78.1L47.3 73.1L47 68.3L47.1 63.8L47.8 59.6L48.8 55.8L50.2 52.3L52 49.2L54.1 46.6L56.5 44.3L59.2 42.6L62.2 41.3L65.5 40.5L69.2 40.4L73.3 41.1L77.7 42.7L82.3 45.2L87 48.7L91.8 53.4L96.5 59.3L101 66.3L105.4 74.6L109.5 84.2";
const ridges = [
  [25.8, 110.9, 10.4],
  [22.7, 65.2, 9.4],
  [38.8, 37, 8.5],
  [63.8, 28.4, 7.7],
  [86.4, 38.9, 6.9],
  [58.7, 100.2, 6.5],
] as const;

/** The app icon: a horn whose ridges are nodes. Its own colours in both themes, as the icon file has them. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 128 128" fill="none" aria-hidden="true">
      <rect width="128" height="128" rx="28" fill="#12171F" />
      <path d={horn} fill="#2B6FD6" fillOpacity=".38" />
      <path d={ties} stroke="#6CB0FF" strokeWidth="5" strokeLinejoin="round" strokeLinecap="round" />
      <path d={outline} stroke="#F2F5F8" strokeWidth="7" strokeLinecap="round" strokeLinejoin="round" />
      <g fill="#F2F5F8">
        {ridges.map(([x, y, radius]) => (
          <circle key={`${x},${y}`} cx={x} cy={y} r={radius} />
        ))}
      </g>
    </svg>
  );
}
