import { expect, type Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize } from './any-size.ts'

/** The screen as it stands has no accessibility fault, and fits any size. */
export async function expectSound(page: Page, screen: string): Promise<void> {
  expect.soft(await findFaults(page), screen).toEqual([])
  await expectToFitAnySize(page, screen)
}
