/** Preload for a process. It shifts the wall clock by CHAOS_CLOCK_SHIFT_MS; monotonic clocks stay right. */
const shiftMs = Number(process.env['CHAOS_CLOCK_SHIFT_MS'] ?? '0')
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[]) =>
    args.length === 0 ? new target(target.now() + shiftMs) : (Reflect.construct(target, args) as Date),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + shiftMs : (Reflect.get(target, name, receiver) as unknown),
})
