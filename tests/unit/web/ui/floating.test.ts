import { expect, test } from 'vitest'
import { placeBeside } from '#web/ui/overlay/layer/place-beside.ts'
import { findTyped } from '#web/ui/overlay/layer/use-typing.ts'

const WINDOW = { width: 390, height: 844 }
const below = { side: 'bottom', align: 'end', gap: 4 } as const
const menu = { width: 180, height: 200 }

test('a menu opens below its button, at the same edge', () => {
  const button = { left: 300, top: 100, width: 36, height: 36 }
  expect(placeBeside(button, menu, WINDOW, below)).toEqual({ left: 156, top: 140, room: 696 })
})

test('an element without room below opens above, and one without room at the side stays in the window', () => {
  const button = { left: 4, top: 780, width: 36, height: 36 }
  expect(placeBeside(button, menu, WINDOW, below)).toEqual({ left: 8, top: 576, room: 768 })
})

test('an element that is higher than both sides takes the larger side and scrolls', () => {
  const button = { left: 100, top: 500, width: 36, height: 36 }
  const { top, room } = placeBeside(button, { width: 180, height: 2000 }, WINDOW, below)
  expect([top, room]).toEqual([8, 488])
})

test('typing selects the next entry with that beginning, and the same letter again the one after it', () => {
  const states = ['Alabama', 'Alaska', 'Texas', 'Utah', 'Tennessee']
  expect(findTyped(states, 't', 0)).toBe(2)
  expect(findTyped(states, 't', 2)).toBe(4)
  expect(findTyped(states, 't', 4)).toBe(2)
  expect(findTyped(states, 'ten', 2)).toBe(4)
  expect(findTyped(states, 'ala', 1)).toBe(1)
  expect(findTyped(states, 'x', 1)).toBeNull()
})
