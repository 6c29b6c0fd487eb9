import { PRESETS } from '#core/contract/webhooks/presets/presets.ts'
import type { Preset } from '#core/contract/webhooks/presets/preset.ts'
import { asCode, writeTable } from './write-table.ts'

/** Every preset of the form: the fields it fills in, and those that only the client knows. */
export function listPresets(): string {
  return PRESETS.map(describePreset).join('\n\n')
}

function describePreset(preset: Preset): string {
  const { constants, success_rule: rule, capture_path: path } = preset
  const address = preset.endpoint_url === '' ? preset.endpoint_example : preset.endpoint_url
  const rows = [
    ['Method and format', `${preset.request_method}, ${preset.payload_type}`],
    [
      'Endpoint URL',
      preset.endpoint_url === '' && address !== null
        ? `yours, for example ${asCode(address)}`
        : address === null
          ? 'yours'
          : asCode(address),
    ],
    ...constants.map(({ name, label, hint }) => [
      `Fill in ${asCode(`<<${name}>>`)}`,
      `${label}. ${hint ?? ''}`.trim(),
    ]),
    ...(preset.missing_values === 'empty' ? [] : [['Missing values', asCode(preset.missing_values)]]),
    ...(rule === null ? [] : [['Success rule (*How the answer is read*)', asCode(JSON.stringify(rule))]]),
    ...(path === null ? [] : [['Id at the receiver', asCode(path)]]),
  ]
  const own = constants.map(({ label }) => label)
  const filled = preset.endpoint_url === '' ? ['Endpoint URL', ...own] : own
  const template = JSON.stringify(preset.payload_template, null, 2)
  return [
    `### ${preset.name}`,
    preset.note,
    // The plain preset is the form as it opens.
    ...(preset === PRESETS[0]
      ? []
      : [
          `![The form of a webhook for ${preset.name}, filled in with examples. In frames, what only you know: ${filled.join(', ')}.](../images/receivers/${preset.id}.webp)`,
        ]),
    writeTable(['In the form', 'Value'], rows),
    `\`\`\`json schema=template\n${template}\n\`\`\``,
  ].join('\n\n')
}
