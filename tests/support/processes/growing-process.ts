/** Makes garbage all the time; with GROWS it keeps some, on the heap or outside of it. */
const kept: unknown[] = []

setInterval(() => {
  const pieces = Array.from({ length: 20_000 }, (_unused, index) => ({ index, text: `piece ${index}` }))
  if (process.env['GROWS'] === 'heap') kept.push(pieces)
  if (process.env['GROWS'] === 'buffers') kept.push(Buffer.alloc(2 ** 20, 1))
}, 20)

process.stdout.write('growing process ready\n')
