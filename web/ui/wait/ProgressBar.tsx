export interface ProgressBarProps {
  /** What goes on: "Rows imported". */
  label: string
  /** How far it is, in words: "1,200 of 5,000 rows". */
  text: string
  value: number
  max: number
}

/** How far something has come that has an end; the words say the same as the bar. */
export function ProgressBar({ label, text, value, max }: ProgressBarProps) {
  const share = max === 0 ? 0 : Math.min(1, value / max)
  return (
    <div className="min-w-0">
      <div aria-hidden className="flex items-baseline justify-between gap-2 text-sm">
        <span className="text-muted">{label}</span>
        <span className="font-medium tabular">{text}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
        className="mt-2 h-2 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
