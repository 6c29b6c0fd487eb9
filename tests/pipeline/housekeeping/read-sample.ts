/** The value of one sample of Prometheus' text, its labels spelt as Prometheus spells them. */
export function readSample(text: string, name: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}
