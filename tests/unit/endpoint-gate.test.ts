import { expect, it } from 'vitest'
import { createEndpointGate } from '#worker/webhook/endpoint-gate.ts'

it('lets as many through to one endpoint as its limit, and others beside it', () => {
  const gate = createEndpointGate(2)
  const inside = [gate.enter('slow'), gate.enter('slow')]
  expect(inside.every((leave) => leave !== undefined)).toBe(true)
  expect(gate.enter('slow')).toBeUndefined()
  expect(gate.enter('quick')).toBeTypeOf('function')
  inside[0]?.()
  expect(gate.enter('slow')).toBeTypeOf('function')
  expect(gate.enter('slow')).toBeUndefined()
})

it('opens one place for one leaving, even when it is called twice', () => {
  const gate = createEndpointGate(2)
  const leave = gate.enter('slow')
  gate.enter('slow')
  leave?.()
  leave?.()
  expect(gate.enter('slow')).toBeTypeOf('function')
  expect(gate.enter('slow')).toBeUndefined()
})

it('is as new when everyone has left', () => {
  const gate = createEndpointGate(3)
  for (let round = 0; round < 3; round += 1) {
    const inside = [gate.enter('a'), gate.enter('a'), gate.enter('a')]
    expect(gate.enter('a')).toBeUndefined()
    for (const leave of inside) leave?.()
  }
})
