import { TextInput, type TextInputProps } from '#web/ui/form/TextInput.tsx'

/** Six digits, whatever is pasted around them; phones and password managers fill it. */
export function CodeInput(props: Omit<TextInputProps, 'type'>) {
  return (
    <TextInput
      {...props}
      mono
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      placeholder="000000"
      className="text-center text-base tracking-[0.5em]"
    />
  )
}
