import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBinaryFrame, readFrame, WIRE_VERSIONS, writeFrame } from '#server/realtime/wire/frames.ts'

const ref = fc.option(fc.string({ maxLength: 64 }))
const frame = fc.record({
  join_ref: ref,
  ref,
  topic: fc.string({ maxLength: 256, unit: 'binary' }),
  event: fc.string({ maxLength: 64, unit: 'binary' }),
  payload: fc.jsonValue(),
})

test.each(WIRE_VERSIONS)(
  'a message of version %s is read as it was written, whatever its parts hold',
  (version) => {
    fc.assert(
      fc.property(frame, ({ payload, ...head }) => {
        const text = writeFrame(version, head, JSON.stringify(payload))
        expect(readFrame(version, text)).toEqual({
          ...head,
          payload: JSON.parse(JSON.stringify(payload)) as unknown,
        })
      }),
    )
  },
)

test.each(WIRE_VERSIONS)('no text and no bytes make the reader of version %s throw', (version) => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
      const read = readFrame(version, text)
      expect(read === undefined || typeof read.topic === 'string').toBe(true)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), (bytes, isBroadcast) => {
      const read = readBinaryFrame(version, isBroadcast ? Uint8Array.from([3, ...bytes]) : bytes)
      expect(read === undefined || read.event === 'broadcast').toBe(true)
    }),
  )
})
