import type { BrowserContext } from '@playwright/test'

const watched = new WeakMap<BrowserContext, { faults: string[] }>()

/**
 * Makes the pages of a context report violations of the content policy. Call it once per context, because it
 * cannot be undone.
 */
export async function reportViolations(context: BrowserContext): Promise<{ faults: string[] }> {
  const watch = { faults: [] as string[] }
  watched.set(context, watch)
  await context.exposeFunction('reportViolation', (violation: string) => {
    watch.faults.push(`content policy: ${violation}`)
  })
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    reportViolation(event.effectiveDirective + ' ' + event.blockedURI)
  })`)
  return watch
}

/** Adds every fault of the context's pages to `faults` from now on. */
export async function watchPages(context: BrowserContext, faults: string[]): Promise<void> {
  const watch = watched.get(context) ?? (await reportViolations(context))
  watch.faults = faults
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`))
  context.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|^Leadwire /i.test(text)) faults.push(`console: ${text}`)
  })
}
