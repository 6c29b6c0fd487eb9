import { sampleValues } from '#core/domain/leads/sample-lead.ts'
import { FORMATS } from '#core/domain/webhooks/template/formats/formats.ts'
import { readPlaceholder } from '#core/domain/webhooks/template/formats/read-placeholder.ts'
import { PLACEHOLDERS, type Placeholder } from '#core/domain/webhooks/template/placeholders.ts'
import { describeSample } from './describe-sample.ts'

/**
 * An entry of the palette: a placeholder, with or without a format, and its result for the fictional lead.
 */
export interface PaletteEntry {
  /** text between the braces */
  name: string
  group: Placeholder['group'] | 'Formats'
  description: string
  sample?: string
}

/** Formats come last, after the placeholders that they apply to. */
export function listEntries(now: Date): PaletteEntry[] {
  const samples = sampleValues('test', now)
  const formats = FORMATS.map(({ example, description }) => {
    const name = example.slice(2, -2)
    const { name: of, apply } = readPlaceholder(name)
    const value = samples[of ?? ''] ?? null
    return {
      name,
      group: 'Formats' as const,
      description,
      sample: describeSample(apply === undefined ? value : apply(value, samples)),
    }
  })
  return [...PLACEHOLDERS, ...formats]
}
