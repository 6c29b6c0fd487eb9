import { readProcessorMs } from './cpu.ts'
import { describeSpread, type Spread } from './spread.ts'

/** What the API asks of the database, in words; answers how many rows it found. */
export interface Question {
  words: string
  ask: () => Promise<number>
  finds: 'some' | 'none' | 'any'
}

/** How long a question takes, in milliseconds, and how many rows it finds, on average. */
export interface Answered extends Spread {
  found: number
}

/** @throws where it finds nothing that should find something, or the other way round */
export async function askOften(question: Question, times: number, warmUp: number): Promise<Answered> {
  const took: number[] = []
  let rows = 0
  for (let asked = -warmUp; asked < times; asked += 1) {
    const { ms, found } = await askOnce(question)
    if (asked < 0) continue
    took.push(ms)
    rows += found
  }
  return { ...describeSpread(took), found: rows / times }
}

/** A question to a database that has one connection, whose process is this. */
export interface Asked extends Question {
  pid: number
}

/** How long a question took, and in how much of PostgreSQL's processor time: both in milliseconds. */
export interface Effort extends Spread {
  processor: number
}

/**
 * The same question to several databases, in turns: whatever else the machine does meets all of them.
 * @throws as {@link askOften}
 */
export async function askInTurns(asked: readonly Asked[], times: number, warmUp: number): Promise<Effort[]> {
  for (let turn = 0; turn < warmUp; turn += 1) for (const one of asked) await askOnce(one)
  const all = asked.map((one) => ({ one, took: [] as number[], before: readProcessorMs(one.pid) }))
  for (let turn = 0; turn < times; turn += 1)
    for (const { one, took } of all) took.push((await askOnce(one)).ms)
  return all.map(({ one, took, before }) => ({
    ...describeSpread(took),
    processor: (readProcessorMs(one.pid) - before) / times,
  }))
}

async function askOnce({ words, ask, finds }: Question): Promise<{ ms: number; found: number }> {
  const began = performance.now()
  const found = await ask()
  const ms = performance.now() - began
  if (finds !== 'any' && found > 0 !== (finds === 'some')) throw new Error(`${words}: ${found} rows`)
  return { ms, found }
}
