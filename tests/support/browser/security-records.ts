import type { Page } from '@playwright/test'

export interface KeptEvent {
  id: string
  type: string
  timestamp: string
  userAgent: string
  url: string
  details: Record<string, unknown>
  severity: string
}

/** Returns the security events that this browser has stored, oldest first. */
export async function readEvents(page: Page): Promise<KeptEvent[]> {
  return await page.evaluate<KeptEvent[]>('JSON.parse(localStorage.getItem("security_events") ?? "[]")')
}

export async function readEventTypes(page: Page): Promise<string[]> {
  return (await readEvents(page)).map(({ type }) => type)
}
