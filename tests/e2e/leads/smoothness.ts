import type { Locator, Page } from '@playwright/test'

/** A longer frame is visibly missing: at 60 per second, it is two frames. */
const DROPPED_MS = 34
const SLOWER = 4
const PRIORITY = 120
const PAGES = 30

interface Watched {
  longTasks: number[]
  keys: number[]
  frames: number[]
}

// Code for the browser, as text, because tests have no browser types.
const WATCH = `
  window.watched = { longTasks: [], keys: [], frames: [] }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longTasks.push(duration)
  }).observe({ type: 'longtask' })
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') watched.keys.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 })
  let last = performance.now()
  const tick = (now) => {
    watched.frames.push(now - last)
    last = now
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)`

/** Records long tasks, the delay of each key press, and each frame. Call it before the page is opened. */
export async function watchSmoothness(page: Page): Promise<void> {
  await page.addInitScript(WATCH)
}

/**
 * Measures, in milliseconds with a processor slowed down four times, first scrolling by wheel, then paging by
 * keyboard.
 */
export async function readSmoothness(page: Page, frame: Locator): Promise<Record<string, unknown>> {
  const session = await page.context().newCDPSession(page)
  await frame.focus()
  await page.keyboard.press('Home')
  await frame.hover()
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const wheel = await measure(page, PRIORITY, 16, () => page.mouse.wheel(0, 240))
  const keys = await measure(page, PAGES, 100, () => page.keyboard.press('PageDown'))
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return { wheel, keys, elements: await page.locator('*').count() }
}

async function measure(page: Page, times: number, everyMs: number, act: () => Promise<void>) {
  await page.evaluate('Object.assign(watched, { longTasks: [], keys: [], frames: [] })')
  for (let turn = 0; turn < times; turn += 1) {
    await act()
    await page.waitForTimeout(everyMs)
  }
  const { longTasks, keys, frames } = (await page.evaluate('watched')) as Watched
  const at = (values: number[], part: number) =>
    Math.round(values.toSorted((a, b) => a - b)[Math.floor(part * values.length)] ?? 0)
  return {
    frames: frames.length,
    dropped: frames.filter((took) => took > DROPPED_MS).length,
    p95Frame: at(frames, 0.95),
    longestFrame: Math.round(Math.max(...frames)),
    longTasks: longTasks.length,
    longestTask: Math.round(Math.max(0, ...longTasks)),
    slowKeys: keys.length,
    p98Key: at(keys, 0.98),
  }
}
