/**
 * A uuid of version 7 (RFC 9562 §5.7) whose first 48 bits are this moment's milliseconds, so that a row can be found by
 * its id in a table that is partitioned by time.
 * @param random a version 7 uuid; its other bits are kept
 */
export function uuidAt(moment: Date, random: string): string {
  const time = moment.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${random.slice(13)}`
}

/** Milliseconds since the epoch at which a uuid of version 7 (RFC 9562 §5.7) was made. */
export function uuidMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The uuid right before this one; the lowest has none and stays. */
export function uuidBefore(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`)
  const hex = (number === 0n ? 0n : number - 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
