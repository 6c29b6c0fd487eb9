/**
 * The change from yesterday to today in words: "Up 12%", "Down 3%", "The same", "Up from none". The sign of the
 * figure itself may change, and then a percent says nothing.
 */
export function sayChange(today: number, yesterday: number): string {
  if (today === yesterday) return 'The same'
  const way = today > yesterday ? 'Up' : 'Down'
  if (yesterday <= 0 || today < 0) return yesterday === 0 ? `${way} from none` : way
  const percent = Math.abs(Math.round(((today - yesterday) / yesterday) * 100))
  return `${way} ${percent === 0 ? '< 1' : percent.toLocaleString('en-US')}%`
}
