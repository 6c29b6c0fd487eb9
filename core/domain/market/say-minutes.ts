/** `1 day`, `2 hours`, `90 minutes`: in the largest unit that fits. */
export function sayMinutes(minutes: number): string {
  if (minutes % 1440 === 0) return say(minutes / 1440, 'day')
  return minutes % 60 === 0 ? say(minutes / 60, 'hour') : say(minutes, 'minute')
}

function say(count: number, unit: string): string {
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`
}
