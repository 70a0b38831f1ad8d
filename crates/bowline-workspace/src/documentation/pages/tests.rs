//! Pages as rustdoc writes them, cut to what matters.

use super::*;

const ALL: &str = r##"<body><a href="struct.NotListed.html">x</a><h3 id="structs">Structs</h3><ul class="all-items">
<li><a href="struct.Basket.html">Basket</a></li><li><a href="a/struct.Same.html">a::Same</a></li>
<li><a href="b/struct.Same.html">b::Same</a></li></ul><h3>Traits</h3><ul class="all-items">
<li><a href="trait.Sale.html">Sale</a></li><li><a href="derive.Sale.html">Sale</a></li>
<li><a href="../../etc/struct.Evil.html">x</a></li><li><a href="https://x/struct.Far.html">x</a></li></ul></body>"##;

const BASKET: &str = r##"<!DOCTYPE html><html><head><title>Basket</title><script>if(a<b)"<div class='docblock'>"</script></head>
<body><nav class="sidebar"><a href="#method.total">total</a></nav><main><section id="main-content" class="content">
<h1>Struct <span class="struct">Basket</span>&nbsp;<button id="copy-path">Copy item path</button></h1>
<pre class="rust item-decl"><code>pub struct Basket&lt;T&gt;<div class="where">where
    T: <a class="trait" href="https://x/trait.Copy.html" title="a &gt; b">Copy</a>,</div>{
    pub items: Vec&lt;T&gt;,
<details class="toggle type-contents-toggle"><summary class="hideme"><span>Show 1 field</span></summary>    pub more: u8,
</details>}</code></pre><details class="toggle top-doc" open><summary class="hideme"><span>Expand description</span></summary><div class="docblock"><p>A basket &amp; its
<things>, see <a href="x"><code>Vec</code></a> &#x2014; &unknown; &.</p>
<h2 id="examples"><a class="doc-anchor" href="#examples">§</a>Examples</h2>
<div class="example-wrap"><pre class="rust rust-example-rendered"><code><span class="kw">let </span>b = Basket::&lt;u8&gt;::new();

    <span class="macro">assert!</span>(a &amp;&amp; b);</code></pre></div>
<ul>
<li>one</li>
<li>two with <code>code</code><ul><li>inner</li></ul></li>
</ul>
<ol><li><p>first</p></li><li>second</li></ol>
<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>
<tr><td>1</td><td>2</td></tr>
</tbody></table>
</div></div></details><h2 id="fields">Fields</h2><span id="structfield.items" class="structfield section-header"><a href="#structfield.items" class="anchor field">§</a><code>items: <a href="x">Vec</a>&lt;T&gt;</code></span><div class="docblock"><p>What is in it.</p>
</div><span id="structfield.more" class="structfield section-header"><code>more: u8</code></span>
<div id="implementations-list"><details class="toggle implementors-toggle" open><summary><section id="impl" class="impl"><h3 class="code-header">impl</h3></section></summary><div class="impl-items"><details class="toggle method-toggle" open><summary><section id="method.total" class="method"><a class="src rightside" href="x">Source</a><h4 class="code-header">pub fn <a href="#method.total" class="fn">total</a>(&amp;self, rate: f64) -&gt; usize<div class="where">where
    T: Copy,</div></h4></section></summary><span class="item-info"><div class="stab deprecated"><span class="emoji">👎</span><span>Deprecated since 2</span></div></span><div class="docblock"><p>How many.</p>
</div></details><section id="method.bare" class="method"><h4 class="code-header">pub fn bare()</h4></section><details><summary><section id="method.next"><h4 class="code-header">fn next()</h4></section></summary><div class="docblock"><p>Not of bare.</p></div></details></div></details></div></section></main></body></html>"##;

fn pages() -> tempfile::TempDir {
    let keep = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("shop/all.html", ALL),
        ("shop/struct.Basket.html", BASKET),
        (
            "shop/index.html",
            r#"<section id="main-content"><h1>Crate <span>shop</span>&nbsp;<button>x</button></h1><details class="toggle top-doc"><div class="docblock"><p>The shop.</p></div></details>"#,
        ),
        ("shop/a/index.html", r#"<section id="main-content"><h1>Module <span>a</span></h1>"#),
        (
            "shop/trait.Sale.html",
            r#"<div class="item-decl"><pre class="rust trait"><code>pub trait Sale { }</code></pre></div>"#,
        ),
        ("shop/a/struct.Same.html", r#"<pre class="rust item-decl"><code>pub struct Same;</code></pre>"#),
    ] {
        let file = keep.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        bowline_std::fs::replace_private(&file, text.as_bytes()).unwrap();
    }
    keep
}

fn seen(names: &[&str]) -> String {
    let keep = pages();
    match look_up(&keep.path().join("shop"), names).unwrap() {
        Page::Found { signature, text } => format!("{signature}\n--\n{text}"),
        Page::Ambiguous(several) => format!("ambiguous: {}", several.join(", ")),
        Page::Missing(near) => format!("missing: {near:?}"),
    }
}

#[test]
fn an_item_is_its_declaration_and_what_is_said_of_it() {
    insta::assert_snapshot!(seen(&["Basket"]), @r"
    pub struct Basket<T>
    where
        T: Copy,
    {
        pub items: Vec<T>,
        pub more: u8,
    }
    --
    A basket & its <things>, see `Vec` — &unknown; &.

    ## Examples

    ```rust
    let b = Basket::<u8>::new();

        assert!(a && b);
    ```

    - one
    - two with `code`
      - inner

    1. first
    2. second

    a | b
    1 | 2
    ");
}

#[test]
fn members_stand_on_the_page_of_their_type() {
    assert_eq!(
        seen(&["Basket", "total"]),
        "pub fn total(&self, rate: f64) -> usize\nwhere\n    T: Copy,\n--\n👎Deprecated since 2\n\nHow many."
    );
    assert_eq!(seen(&["Basket", "items"]), "items: Vec<T>\n--\nWhat is in it.");
    assert_eq!(seen(&["Basket", "bare"]), "pub fn bare()\n--\n", "the next one's text is not its own");
    assert_eq!(seen(&["Basket", "more"]), "more: u8\n--\n");
    assert_eq!(seen(&["Basket", "none"]), "missing: None");
}

#[test]
fn a_name_of_several_things_is_not_guessed() {
    assert_eq!(seen(&["Same"]), "ambiguous: `shop::a::Same` (struct), `shop::b::Same` (struct)");
    assert_eq!(seen(&["Same", "method"]), "ambiguous: `shop::a::Same` (struct), `shop::b::Same` (struct)");
    assert_eq!(seen(&["a", "Same"]), "pub struct Same;\n--\n");
    assert_eq!(seen(&["Sale"]), "pub trait Sale { }\n--\n", "the trait, not the macro that derives it");
}

#[test]
fn modules_and_the_crate_have_pages_too() {
    assert_eq!(seen(&[]), "Crate shop\n--\nThe shop.");
    assert_eq!(seen(&["a"]), "Module a\n--\n");
}

#[test]
fn only_what_is_listed_is_there() {
    for name in ["NotListed", "Evil", "Far", "x"] {
        assert_eq!(seen(&[name]), "missing: None");
    }
    assert_eq!(seen(&["Baskets"]), "missing: Some(\"Basket\")");
    assert_eq!(seen(&["Baskt"]), "missing: Some(\"Basket\")");
}

#[test]
fn broken_html_is_read_to_its_end() {
    for html in
        ["<", "<pre class=\"item-decl\">", "</", "<a", "<a href=\"", "&", "<!--", "<pre", "<p><pre>x", "é<é>"]
    {
        whole_page(html);
        member_of(html, "x");
        items(html);
        prose(html);
        code(html);
    }
    assert_eq!(prose("a < b <pre>x &lt; y"), "a < b\n\n```\nx < y\n```");
    assert_eq!(
        whole_page("<pre class=\"item-decl\">fn x()"),
        Page::Found { signature: "fn x()".into(), text: String::new() }
    );
}
