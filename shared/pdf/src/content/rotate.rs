//! Rotates the content of pages that are displayed sideways or upside down.

use layout::{PageContent, Rect, Size};

/// Rotates characters, links and form fields of a page clockwise by a multiple of 90 degrees.
pub(super) fn content(content: &mut PageContent, degrees: u32) {
    if degrees == 0 {
        return;
    }
    let size = content.size;
    for character in &mut content.characters {
        let start = point((character.start, character.baseline), degrees, size);
        (character.start, character.baseline) = start;
        character.bounds = rect(character.bounds, degrees, size);
        character.angle = (character.angle + angle(degrees)).rem_euclid(360.0);
    }
    for link in &mut content.links {
        link.bounds = rect(link.bounds, degrees, size);
    }
    for tick in &mut content.check_boxes {
        tick.bounds = rect(tick.bounds, degrees, size);
    }
    for field in &mut content.fields {
        *field = rect(*field, degrees, size);
    }
    if degrees % 180 == 90 {
        content.size = Size {
            width: size.height,
            height: size.width,
        };
    }
}

fn rect(rect: Rect, degrees: u32, size: Size) -> Rect {
    let corner = |corner| point(corner, degrees, size);
    Rect::between(
        corner((rect.left, rect.top)),
        corner((rect.right, rect.bottom)),
    )
}

fn point((x, y): (f32, f32), degrees: u32, Size { width, height }: Size) -> (f32, f32) {
    match degrees {
        90 => (height - y, x),
        180 => (width - x, height - y),
        270 => (y, width - x),
        _ => (x, y),
    }
}

fn angle(degrees: u32) -> f32 {
    match degrees {
        90 => 90.0,
        180 => 180.0,
        270 => 270.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use layout::{Character, Font, LinkArea, Tag};

    use super::*;

    /// A letter near the upper left corner of a landscape page, and a link around it.
    fn page() -> PageContent {
        let bounds = Rect::between((10.0, 20.0), (16.0, 30.0));
        PageContent {
            size: Size {
                width: 200.0,
                height: 100.0,
            },
            characters: vec![Character {
                text: 'a',
                bounds,
                baseline: 28.0,
                start: 10.0,
                advance: 6.0,
                size: 10.0,
                font: std::sync::Arc::new(Font::default()),
                color: [0; 3],
                angle: 270.0,
                is_hidden: false,
                tag: Tag::None,
            }],
            links: vec![LinkArea {
                bounds,
                target: "#page=2".to_owned(),
            }],
            ..PageContent::default()
        }
    }

    #[test]
    fn content_rotates_with_the_page() {
        let turned = |degrees| {
            let mut turned = page();
            content(&mut turned, degrees);
            let letter = &turned.characters[0];
            assert_eq!(turned.links[0].bounds, letter.bounds);
            let start = (letter.start, letter.baseline);
            (turned.size.width, start, letter.bounds, letter.angle)
        };
        let at = |left, top, right, bottom| Rect::between((left, top), (right, bottom));
        let expected = [
            (200.0, (10.0, 28.0), at(10.0, 20.0, 16.0, 30.0), 270.0),
            (100.0, (72.0, 10.0), at(70.0, 10.0, 80.0, 16.0), 0.0),
            (200.0, (190.0, 72.0), at(184.0, 70.0, 190.0, 80.0), 90.0),
            (100.0, (28.0, 190.0), at(20.0, 184.0, 30.0, 190.0), 180.0),
        ];
        assert_eq!([0, 90, 180, 270].map(turned), expected);
    }
}
