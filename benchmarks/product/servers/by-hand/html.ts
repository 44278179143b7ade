import type { Item, Member } from '../peer-database.ts'

interface Page {
  readonly nonce: string
  readonly title: string
  readonly page: 'items' | 'contact' | 'account' | 'login'
  readonly body: string
}

/** What the page of items shows. */
export interface ItemsPage {
  readonly nonce: string
  readonly items: readonly Item[]
  readonly total: number
  readonly page: number
  readonly pages: number
}

/** A page of the items. */
export function itemsPage({ nonce, items, total, page, pages }: ItemsPage): string {
  let rows = ''
  for (const { name, category, price, stock, createdAt } of items) {
    const moment = createdAt.toISOString()
    rows += `          <tr>
            <th scope="row">${escaped(name)}</th>
            <td>${escaped(category)}</td>
            <td class="number">${escaped(price)} €</td>
            <td class="number${stock === 0 ? ' out' : ''}">${stock}</td>
            <td><time datetime="${moment}">${moment.slice(0, 10)}</time></td>
          </tr>
`
  }
  const previous =
    page > 1 ? `        <a rel="prev" href="/items?page=${page - 1}">Previous</a>\n` : ''
  const next = page < pages ? `        <a rel="next" href="/items?page=${page + 1}">Next</a>\n` : ''
  const body = `      <h1>Items</h1>
      <table>
        <caption>${total} items, page ${page} of ${pages}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Category</th>
            <th scope="col">Price</th>
            <th scope="col">Stock</th>
            <th scope="col">Added</th>
          </tr>
        </thead>
        <tbody>
${rows}        </tbody>
      </table>
      <nav aria-label="Pages of the list">
${previous}${next}      </nav>`
  return layout({ nonce, title: 'Items', page: 'items', body })
}

/** The page with the contact form. */
export function contactPage({ nonce, token }: { nonce: string; token: string }): string {
  const body = `      <h1>Contact</h1>
      <form action="/contact" method="post">
        <input type="hidden" name="_token" value="${token}">
        <p><label for="name">Name</label> <input id="name" name="name" autocomplete="name" required></p>
        <p><label for="email">E-mail</label> <input id="email" type="email" name="email" autocomplete="email" required></p>
        <p><label for="message">Message</label> <textarea id="message" name="message" rows="6" required></textarea></p>
        <p><button>Send</button></p>
      </form>`
  return layout({ nonce, title: 'Contact', page: 'contact', body })
}

/** The page to sign in. */
export function loginPage({ nonce, token }: { nonce: string; token: string }): string {
  const body = `      <h1>Sign in</h1>
      <form action="/login" method="post">
        <input type="hidden" name="_token" value="${token}">
        <p><label for="email">E-mail</label> <input id="email" type="email" name="email" autocomplete="username" required></p>
        <p><label for="password">Password</label> <input id="password" type="password" name="password" autocomplete="current-password" required></p>
        <p><button>Sign in</button></p>
      </form>`
  return layout({ nonce, title: 'Sign in', page: 'login', body })
}

/** The page of a member. */
export function accountPage({ nonce, member }: { nonce: string; member: Member }): string {
  const body = `      <h1>Account</h1>
      <dl>
        <dt>Name</dt>
        <dd>${escaped(member.name)}</dd>
        <dt>E-mail</dt>
        <dd>${escaped(member.email)}</dd>
      </dl>`
  return layout({ nonce, title: 'Account', page: 'account', body })
}

function layout({ nonce, title, page, body }: Page): string {
  const current = (name: string): string => (name === page ? ' aria-current="page"' : '')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Shop</title>
    <link rel="stylesheet" href="/static/style.css">
    <script nonce="${nonce}">document.documentElement.classList.add('scripts')</script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <header class="top">
      <a class="brand" href="/">Shop</a>
      <nav aria-label="Main">
        <a href="/items"${current('items')}>Items</a>
        <a href="/contact"${current('contact')}>Contact</a>
        <a href="/account"${current('account')}>Account</a>
      </nav>
    </header>
    <main id="content">
${body}
    </main>
    <footer>
      <p>A small shop of handmade things.</p>
    </footer>
  </body>
</html>
`
}

const special = /[&<>"']/
const specials = /[&<>"']/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return special.test(text) ? text.replace(specials, (sign) => entities[sign] ?? sign) : text
}
