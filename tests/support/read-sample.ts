/** Returns the value of one sample in Prometheus' text, with its labels written as there. */
export function readSample(text: string, name: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}
