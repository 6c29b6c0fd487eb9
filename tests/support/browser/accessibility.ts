import { expect, type Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize } from './any-size.ts'

/** Checks that the screen has no accessibility fault and fits every size. */
export async function expectSound(page: Page, screen: string): Promise<void> {
  expect.soft(await findFaults(page), screen).toEqual([])
  await expectToFitAnySize(page, screen)
}
