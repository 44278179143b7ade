/**
 * The only script of the page: a button that copies the error as Markdown. Where the clipboard is
 * not available, such as without TLS on another host, the text is shown for copying by hand.
 */
export const pageScript: string = `
const button = document.getElementById('copy')
const text = document.getElementById('markdown')
const copied = document.getElementById('copied')
if (button && text.value !== '') {
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.value)
      copied.textContent = 'Copied'
    } catch {
      text.hidden = false
      text.focus()
      text.select()
      copied.textContent = 'Copy the text below'
      text.scrollIntoView()
    }
  })
}
`.replaceAll(/\n\s*/g, '\n')
