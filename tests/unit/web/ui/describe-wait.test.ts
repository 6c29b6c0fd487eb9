import { expect, test } from 'vitest'
import { describeShortWait, describeWait } from '#web/ui/wait/describe-wait.ts'

test('a wait names what it waits for, and whether the queue or the connection causes it', () => {
  expect(describeWait('Loading the sessions', true)).toBe(
    'Still waiting for the sessions: the server or the line is slow.',
  )
  expect(describeWait('Loading', true)).toBe('Still waiting for this page: the server or the line is slow.')
  expect(describeWait('Loading leads', false)).toBe(
    'You are offline. Leadwire asks for leads once you are back.',
  )
  expect([true, false].map(describeShortWait)).toEqual(['Still waiting for the server', 'You are offline'])
})
