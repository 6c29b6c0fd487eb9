import { once } from 'node:events'
import { spawnScript, type ScriptOrder } from './spawn-script.ts'

export interface ScriptEnd {
  /** null after a signal */
  code: number | null
  /** all its output, in order */
  output: string
  stdout: string
  stderr: string
}

/** Runs a script of this repository to its end. */
export async function runScript(order: ScriptOrder): Promise<ScriptEnd> {
  const child = spawnScript(order)
  const printed = { output: '', stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text
      printed.output += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...printed }
}
