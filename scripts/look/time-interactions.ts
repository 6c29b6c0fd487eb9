import type { Browser, Page } from '@playwright/test'
import type { Account } from '../start/demo-session.ts'
import { writeTable } from '../site/tables/write-table.ts'
import { INTERACTIONS, type Interaction } from './list-interactions.ts'
import { signIn } from './open-browser.ts'
import { watchRequests } from './watch-requests.ts'

const SLOWER = 4
const PRIORITY = 40
/** ms; the limit of "good" for Interaction to Next Paint. */
const AIM = 200
/** ms; browsers do not report shorter ones. */
const UNTOLD = 16

// Runs in the browser: the longest event of each interaction, from the press to the next paint.
const WATCH = `
  window.answered = new Map()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) answered.set(interactionId, Math.max(duration, answered.get(interactionId) ?? 0))
  }).observe({ type: 'event', durationThreshold: ${UNTOLD}, buffered: true })`

/**
 * Measures how long the app takes to answer a press or a key, with the browser's own event timing and a
 * processor slowed down four times. Prints a table; returns how many kinds have a p95 above the aim.
 */
export async function timeInteractions(
  browser: Browser,
  { url, client }: { url: string; client: Account },
): Promise<number> {
  const context = await signIn(browser, url, client)
  await context.addInitScript(WATCH)
  const rows: string[][] = []
  let missed = 0
  for (const interaction of INTERACTIONS) {
    const page = await context.newPage()
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const times = await timeOne(page, interaction)
    const p95 = at(times, 0.95)
    if (p95 > AIM) missed += 1
    const cells = [times.length, at(times, 0.5), p95, times.at(-1) ?? 0].map(String)
    rows.push([interaction.title, ...cells])
    await page.close()
  }
  await context.close()
  console.log(writeTable(['what is done', 'presses and keys', 'p50 ms', 'p95 ms', 'max ms'], rows))
  console.log(`\nThe processor ${SLOWER} times slower; p95 above ${AIM} ms: ${missed} of ${rows.length}`)
  return missed
}

/** @returns milliseconds of each press and key, the fastest first */
async function timeOne(page: Page, { path, begin, act }: Interaction): Promise<number[]> {
  const rest = watchRequests(page)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await rest()
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await begin?.(page)
  // The first time counts, because a person meets it first.
  const before = (await page.evaluate('answered.clear(), performance.interactionCount')) as number
  for (let turn = 0; turn < PRIORITY; turn += 1) {
    await act(page, turn)
    await page.waitForTimeout(50)
  }
  await page.waitForTimeout(500)
  const all = (await page.evaluate<number>('performance.interactionCount')) - before
  const told = await page.evaluate<number[]>('[...answered.values()]')
  if (all === 0) throw new Error(`Nothing of “${path}” was timed`)
  const untold = Array.from({ length: Math.max(0, all - told.length) }, () => UNTOLD)
  return [...untold, ...told].toSorted((a, b) => a - b)
}

function at(sorted: readonly number[], part: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0)
}
