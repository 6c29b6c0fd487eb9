import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runCommand } from '../services/run-command.ts'

const PACKAGE = 'lighthouse@13.5.0'

export interface LighthouseResult {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null }>
  audits: Record<
    string,
    { score: number | null; numericValue?: number; title: string; id: string; scoreDisplayMode: string }
  >
}

export type Lighthouse = (
  url: string,
  flags: {
    port: number
    logLevel: 'error'
    ignoreStatusCode: boolean
    onlyCategories: readonly string[]
    disableFullPageScreenshot: boolean
  },
) => Promise<{ lhr: LighthouseResult } | undefined>

/** Through npx, so that only people who measure install its hundred packages. */
export async function fetchLighthouse(): Promise<Lighthouse> {
  const where = ['exec', '--yes', `--package=${PACKAGE}`, '-c', 'command -v lighthouse']
  const { code, output } = await runCommand('npm', where)
  if (code !== 0) throw new Error(`${PACKAGE} could not be fetched:\n${output}`)
  const cli = await realpath(output.trim().split('\n').at(-1) ?? '')
  const core = pathToFileURL(path.join(path.dirname(cli), '../core/index.js')).href
  return ((await import(core)) as { default: Lighthouse }).default
}
