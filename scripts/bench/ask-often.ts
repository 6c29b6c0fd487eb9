import { readProcessorMs } from './cpu.ts'
import { describeSpread, type Spread } from './spread.ts'

/** A query that the API makes, with its name; returns the number of rows found. */
export interface Question {
  words: string
  ask: () => Promise<number>
  finds: 'some' | 'none' | 'any'
}

/** Durations of a question in milliseconds, and the average number of rows found. */
export interface Answered extends Spread {
  found: number
}

/** @throws if it finds nothing but should, or finds something but should not */
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

/** A question for a database with one connection, whose server process is this one. */
export interface Asked extends Question {
  pid: number
}

/** Durations of a question, and PostgreSQL's processor time for it, both in milliseconds. */
export interface Effort extends Spread {
  processor: number
}

/**
 * Asks several databases the same question in turns, so that other load of the machine affects all of them.
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
