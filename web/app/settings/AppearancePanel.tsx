import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { useTheme } from '../use-theme.ts'

const THEMES = [
  {
    value: 'system',
    label: 'Like the system',
    hint: 'Light or dark, as your system is set.',
  },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function AppearancePanel() {
  const [theme, choose] = useTheme()
  return (
    <Card title="Appearance" className="max-w-2xl">
      <RadioGroup label="Theme" value={theme} onValueChange={choose} options={THEMES} />
      <p className="mt-3 text-xs text-muted">Kept in this browser.</p>
    </Card>
  )
}
