import { Bar, type BarProps } from './Bar.tsx'
import type { Tone } from './tone.ts'

/** Shows how much of a limit is used: "Today", "7 of 10". */
export function Meter({ tone = 'info', ...bar }: BarProps & { tone?: Tone }) {
  return <Bar {...bar} kind="meter" tone={tone} />
}
