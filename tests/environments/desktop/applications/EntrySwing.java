import java.awt.event.FocusAdapter;
import java.awt.event.FocusEvent;
import java.awt.event.KeyAdapter;
import java.awt.event.KeyEvent;
import java.io.FileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.swing.JFrame;
import javax.swing.JTextArea;
import javax.swing.SwingUtilities;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;

/**
 * A Swing window with one text field. Usage: java EntrySwing FOLDER TITLE. Keeps FOLDER/text at what the field holds and
 * adds a line to FOLDER/keys for every key event (`down 65`, Java's own numbers).
 */
public class EntrySwing {
    static Path folder;
    static JTextArea field;
    static FileWriter keys;

    public static void main(String[] arguments) throws Exception {
        folder = Path.of(arguments[0]);
        keys = new FileWriter(folder.resolve("keys").toFile(), true);
        SwingUtilities.invokeLater(() -> show(arguments[1]));
    }

    static void show(String title) {
        JFrame frame = new JFrame(title);
        frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
        field = new JTextArea(12, 60);
        frame.add(field);
        field.getDocument().addDocumentListener(new DocumentListener() {
            public void insertUpdate(DocumentEvent event) { writeText(); }
            public void removeUpdate(DocumentEvent event) { writeText(); }
            public void changedUpdate(DocumentEvent event) { writeText(); }
        });
        field.addKeyListener(new KeyAdapter() {
            public void keyPressed(KeyEvent event) {
                if (event.getKeyCode() == KeyEvent.VK_F9) {
                    writeText();
                    log("F9 handled");
                }
                log("down " + event.getKeyCode());
            }
            public void keyReleased(KeyEvent event) { log("up " + event.getKeyCode()); }
        });
        field.addFocusListener(new FocusAdapter() {
            public void focusGained(FocusEvent event) { create("focused"); }
        });
        frame.pack();
        frame.setVisible(true);
        field.requestFocusInWindow();
    }

    static void writeText() {
        try {
            Path fresh = folder.resolve("text.new");
            // Unpaired surrogates would become question marks in UTF-8; a test shall see them as they are.
            StringBuilder escaped = new StringBuilder();
            String text = field.getText();
            for (int index = 0; index < text.length(); index++) {
                char unit = text.charAt(index);
                boolean paired = Character.isHighSurrogate(unit) && index + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(index + 1));
                if (paired) {
                    escaped.append(unit).append(text.charAt(++index));
                } else if (Character.isSurrogate(unit)) {
                    escaped.append(String.format("<unpaired %04X>", (int) unit));
                } else {
                    escaped.append(unit);
                }
            }
            Files.write(fresh, escaped.toString().getBytes(StandardCharsets.UTF_8));
            Files.move(fresh, folder.resolve("text"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    static void log(String line) {
        try {
            keys.write(line + "\n");
            keys.flush();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    static void create(String name) {
        try {
            if (!Files.exists(folder.resolve(name))) {
                Files.createFile(folder.resolve(name));
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
