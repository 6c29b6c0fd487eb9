import { Bar, type BarProps } from '../show/Bar.tsx'

/** How far something has come that has an end: "Rows imported", "1,200 of 5,000 rows". */
export function ProgressBar(bar: BarProps) {
  return <Bar {...bar} kind="progressbar" tone="info" />
}
