import { describeSpread, type Spread } from './spread.ts'

/** What the API asks of the database, in words; answers how many rows it found. */
export interface Question {
  words: string
  ask: () => Promise<number>
  finds: 'some' | 'none' | 'any'
}

/** How long it takes, in milliseconds. @throws where it finds nothing that should find something, or the other way round */
export async function askOften(
  { words, ask, finds }: Question,
  times: number,
  warmUp: number,
): Promise<Spread> {
  const took: number[] = []
  for (let asked = -warmUp; asked < times; asked += 1) {
    const began = performance.now()
    const found = await ask()
    if (asked >= 0) took.push(performance.now() - began)
    if (finds !== 'any' && found > 0 !== (finds === 'some')) throw new Error(`${words}: ${found} rows`)
  }
  return describeSpread(took)
}
