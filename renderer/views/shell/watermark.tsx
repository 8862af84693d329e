import { useId } from "react";
import "./watermark.css";

/** "SIMULATED" across the picture, at 7 %. Never in the way of the pointer. */
export function Watermark() {
  const id = useId();
  return (
    <svg className="watermark" aria-hidden="true">
      <defs>
        <pattern id={id} width="340" height="200" patternUnits="userSpaceOnUse" patternTransform="rotate(-18)">
          <text x="20" y="110">
            SIMULATED
          </text>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}
