import { Bar, type BarProps } from '../show/Bar.tsx'

/** Shows progress towards a known end: "Rows imported", "1,200 of 5,000 rows". */
export function ProgressBar(bar: BarProps) {
  return <Bar {...bar} kind="progressbar" tone="info" />
}
