const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}
/** A thousand years: a longer duration is a mistake and exceeds a timestamp. */
const LONGEST = 1000 * 365.25 * 86_400

/** Seconds of a duration as the wire writes it (`24h`, `1h30m`, `90.5s`); undefined for anything else. */
export function readDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (text.length > 40 || !/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  let seconds = 0
  for (const [, count = '', , unit = ''] of text.matchAll(/(\d+(\.\d+)?)(ns|us|µs|ms|s|m|h)/g))
    seconds += Number(count) * (SECONDS[unit] ?? 0)
  return seconds <= LONGEST ? seconds : undefined
}
