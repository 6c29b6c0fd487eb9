import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_FILES } from './long-files.ts'

function rank({ moduleId }: TestSpecification): number {
  const place = LONG_FILES.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`))
  return place === -1 ? LONG_FILES.length : place
}

/** A class, because vitest constructs it. The other files follow in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is not an array's method
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
