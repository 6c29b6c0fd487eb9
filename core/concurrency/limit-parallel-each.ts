import { limitParallel } from './limit-parallel.ts'

/** Does the same as {@link limitParallel}, for each key separately. */
export function limitParallelEach(slots: number, waiting: number, onFull: () => Error) {
  const lanes = new Map<string, { run: ReturnType<typeof limitParallel>; users: number }>()
  return async function run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const lane = lanes.get(key) ?? { run: limitParallel(slots, waiting, onFull), users: 0 }
    lanes.set(key, lane)
    lane.users += 1
    try {
      return await lane.run(task)
    } finally {
      lane.users -= 1
      if (lane.users === 0) lanes.delete(key)
    }
  }
}
