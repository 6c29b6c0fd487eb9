import { exactTime } from './format-time.ts'

/** Shows "Nov 21, 2026, 3:04:05 PM CST"; if it needs two lines, the time begins the second. */
export function ExactTime({ at }: { at: string }) {
  const text = exactTime(at)
  const time = text.lastIndexOf(', ') + 2
  return (
    <>
      {text.slice(0, time)}
      <span className="inline-block">{text.slice(time)}</span>
    </>
  )
}
