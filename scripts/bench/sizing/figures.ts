import type { CpuTimes } from '../cpu.ts'
import type { ServiceUse } from '../service-use.ts'

/** The measured cost of a lead at one rate. */
export interface LoadCost {
  /** leads a second */
  rate: number
  /** worker processes */
  workers: number
  /** of Redis; one if it is not given */
  masters?: number
  leads: number
  /** leads that never arrived */
  lost: number
  /** microseconds of processor time for one lead, by program */
  cpu: CpuTimes
  /** for one lead */
  use: ServiceUse
  /** resident bytes at the end, by program */
  resident: Readonly<Record<string, number>>
}

/** The measured bytes of one lead in a table. */
export interface TableCost {
  name: string
  rows: number
  heap: number
  /** bytes of one lead by index */
  indexes: Readonly<Record<string, number>>
}

/** Everything that `npm run bench -- --sizing` measures: a lead of one client with one webhook, delivered at once. */
export interface SizingFigures {
  loads: LoadCost[]
  /** by table, partitions added up; bytes and rows of one lead */
  tables: TableCost[]
  /** leads between the first and the last reading */
  leads: number
  /** bytes by which the data in Redis had grown when all of them were delivered */
  redisBytes: number
}
